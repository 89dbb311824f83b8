// SPDX-License-Identifier: Apache-2.0
// OpenCV's functions over images in device memory: each builds its kernels for the types it meets.
#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/photo.hpp>
#include <opencv2/video.hpp>
#include <vector>

namespace {

/// The stub's answers may not please a function's host side; its kernels are written down by then.
template <class Function>
void attempt(Function function) {
    try {
        function();
    } catch (const cv::Exception&) {}
}

cv::UMat image(int type, int rows = 256, int columns = 320) {
    return cv::UMat(rows, columns, type, cv::Scalar(1, 2, 3, 4));
}

void arithmetic(int type) {
    cv::UMat a = image(type), b = image(type), out, out2, mask = image(CV_8UC1);
    attempt([&] { cv::add(a, b, out); });
    attempt([&] { cv::add(a, b, out, mask); });
    attempt([&] { cv::subtract(a, cv::Scalar(3, 2, 1), out); });
    attempt([&] { cv::multiply(a, b, out, 0.5); });
    attempt([&] { cv::divide(a, b, out); });
    attempt([&] { cv::addWeighted(a, 0.3, b, 0.7, 2, out); });
    attempt([&] { cv::scaleAdd(a, 2, b, out); });
    attempt([&] { cv::absdiff(a, b, out); });
    attempt([&] { cv::bitwise_xor(a, b, out); });
    attempt([&] { cv::bitwise_not(a, out, mask); });
    attempt([&] { cv::min(a, b, out); });
    attempt([&] { cv::compare(a, b, out, cv::CMP_GE); });
    attempt([&] { cv::inRange(a, cv::Scalar(1, 1, 1, 1), cv::Scalar(9, 9, 9, 9), out); });
    attempt([&] { a.convertTo(out, CV_32F, 1.5, 2); });
    attempt([&] { a.convertTo(out, CV_16S); });
    attempt([&] { cv::convertScaleAbs(a, out, 2, 1); });
    attempt([&] { a.copyTo(out, mask); });
    attempt([&] { a.setTo(cv::Scalar(5), mask); });
    attempt([&] { cv::flip(a, out, 1); });
    attempt([&] { cv::flip(a, out, -1); });
    attempt([&] { cv::transpose(a, out); });
    attempt([&] { cv::repeat(a, 2, 3, out); });
    attempt([&] { cv::copyMakeBorder(a, out, 3, 4, 5, 6, cv::BORDER_REFLECT101); });
    attempt([&] { cv::sum(a); });
    attempt([&] { cv::meanStdDev(a, out, out2); });
    attempt([&] { cv::norm(a, b, cv::NORM_L2); });
    attempt([&] { cv::norm(a, cv::NORM_INF, mask); });
    attempt([&] { cv::reduce(a, out, 0, cv::REDUCE_SUM, CV_32F); });
    attempt([&] { cv::reduce(a, out, 1, cv::REDUCE_MAX); });
    attempt([&] { cv::normalize(a, out, 0, 1, cv::NORM_MINMAX, CV_32F); });
    attempt([&] { cv::setIdentity(a, cv::Scalar(2)); });
    if (CV_MAT_CN(type) == 1) {
        double low = 0, high = 0;
        cv::Point where, other;
        attempt([&] { cv::minMaxLoc(a, &low, &high, &where, &other, mask); });
        attempt([&] { cv::countNonZero(a); });
        attempt([&] { cv::threshold(a, out, 10, 200, cv::THRESH_BINARY); });
        attempt([&] { cv::threshold(a, out, 10, 200, cv::THRESH_TOZERO_INV); });
    }
    std::vector<cv::UMat> planes;
    attempt([&] { cv::split(a, planes); });
    attempt([&] { cv::merge(std::vector<cv::UMat>(3, image(CV_MAT_DEPTH(type))), out); });
    attempt([&] { cv::mixChannels(std::vector<cv::UMat>{a}, std::vector<cv::UMat>{b}, {0, 0}); });
}

void floating(int depth) {
    cv::UMat a = image(depth), b = image(depth), c, d;
    attempt([&] { cv::exp(a, c); });
    attempt([&] { cv::log(a, c); });
    attempt([&] { cv::sqrt(a, c); });
    attempt([&] { cv::pow(a, 2.5, c); });
    attempt([&] { cv::pow(a, 4, c); });
    attempt([&] { cv::magnitude(a, b, c); });
    attempt([&] { cv::phase(a, b, c, true); });
    attempt([&] { cv::cartToPolar(a, b, c, d); });
    attempt([&] { cv::polarToCart(a, b, c, d, true); });
    attempt([&] { cv::patchNaNs(a, 0); });
    attempt([&] { cv::gemm(image(depth, 64, 64), image(depth, 64, 64), 1, image(depth, 64, 64), 2, c); });
    attempt([&] { cv::dft(image(CV_MAKETYPE(depth, 2)), c); });
    attempt([&] { cv::dft(a, c, cv::DFT_COMPLEX_OUTPUT); });
    attempt(
        [&] { cv::mulSpectrums(image(CV_MAKETYPE(depth, 2)), image(CV_MAKETYPE(depth, 2)), c, 0, true); });
}

void filters(int type) {
    cv::UMat a = image(type), out, out2;
    const cv::Mat kernel = cv::Mat::ones(5, 5, CV_32F) / 25, row = cv::getGaussianKernel(7, 1.5, CV_32F);
    attempt([&] { cv::blur(a, out, {5, 3}); });
    attempt([&] { cv::sqrBoxFilter(a, out, CV_32F, {5, 3}); });
    attempt([&] { cv::GaussianBlur(a, out, {3, 3}, 0); });
    attempt([&] { cv::GaussianBlur(a, out, {5, 5}, 0); });
    attempt([&] { cv::GaussianBlur(a, out, {11, 9}, 2); });
    attempt([&] { cv::medianBlur(a, out, 3); });
    attempt([&] { cv::medianBlur(a, out, 5); });
    attempt([&] { cv::bilateralFilter(a, out, 7, 20, 20); });
    attempt([&] { cv::filter2D(a, out, -1, kernel); });
    attempt([&] { cv::filter2D(a, out, CV_32F, kernel, {-1, -1}, 1, cv::BORDER_REFLECT); });
    attempt([&] { cv::sepFilter2D(a, out, -1, row, row); });
    attempt([&] { cv::Sobel(a, out, CV_16S, 1, 0); });
    attempt([&] { cv::Scharr(a, out, CV_32F, 0, 1); });
    attempt([&] { cv::Laplacian(a, out, CV_32F, 1); });
    attempt([&] { cv::Laplacian(a, out, CV_32F, 5); });
    attempt([&] { cv::erode(a, out, cv::Mat()); });
    attempt([&] { cv::dilate(a, out, cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}), {-1, -1}, 2); });
    attempt([&] { cv::morphologyEx(a, out, cv::MORPH_GRADIENT, cv::Mat()); });
    attempt([&] { cv::pyrDown(a, out); });
    attempt([&] { cv::pyrUp(a, out); });
    for (const int how : {cv::INTER_NEAREST, cv::INTER_LINEAR, cv::INTER_CUBIC, cv::INTER_AREA}) {
        attempt([&] { cv::resize(a, out, {97, 61}, 0, 0, how); });
        attempt([&] { cv::warpAffine(a, out, cv::Mat::eye(2, 3, CV_64F), a.size(), how); });
        attempt([&] { cv::warpPerspective(a, out, cv::Mat::eye(3, 3, CV_64F), a.size(), how); });
        attempt([&] { cv::remap(a, out, image(CV_32FC1), image(CV_32FC1), how); });
    }
    attempt([&] { cv::resize(a, out, {640, 512}, 0, 0, cv::INTER_LINEAR); });
    attempt([&] { cv::accumulateWeighted(a, out = image(CV_MAKETYPE(CV_32F, a.channels())), 0.2); });
    attempt([&] { cv::integral(a, out, out2, CV_32S); });
    attempt([&] { cv::matchTemplate(a, image(type, 16, 16), out, cv::TM_CCOEFF_NORMED); });
    attempt([&] { cv::matchTemplate(a, image(type, 16, 16), out, cv::TM_SQDIFF); });
}

void colours() {
    for (const int code :
         {cv::COLOR_BGR2GRAY,     cv::COLOR_GRAY2BGR,     cv::COLOR_BGR2RGBA,     cv::COLOR_BGR2YUV,
          cv::COLOR_YUV2BGR,      cv::COLOR_BGR2HSV,      cv::COLOR_HSV2BGR,      cv::COLOR_BGR2HLS,
          cv::COLOR_HLS2BGR,      cv::COLOR_BGR2Lab,      cv::COLOR_Lab2BGR,      cv::COLOR_BGR2Luv,
          cv::COLOR_Luv2BGR,      cv::COLOR_BGR2XYZ,      cv::COLOR_XYZ2BGR,      cv::COLOR_BGR2YCrCb,
          cv::COLOR_YCrCb2BGR,    cv::COLOR_BGR2BGR565,   cv::COLOR_BGR5652BGR,   cv::COLOR_YUV2BGR_NV12,
          cv::COLOR_YUV2BGR_YV12, cv::COLOR_YUV2BGR_YUY2, cv::COLOR_BGR2YUV_I420, cv::COLOR_RGBA2mRGBA,
          cv::COLOR_mRGBA2RGBA})
        for (const int depth : {CV_8U, CV_32F})
            for (const int channels : {1, 2, 3, 4}) {
                cv::UMat out;
                attempt([&] { cv::cvtColor(image(CV_MAKETYPE(depth, channels), 240, 320), out, code); });
            }
}

void features() {
    cv::UMat grey = image(CV_8UC1), colour = image(CV_8UC3), out, points;
    attempt([&] { cv::Canny(grey, out, 20, 60); });
    attempt([&] { cv::equalizeHist(grey, out); });
    attempt([&] { cv::createCLAHE()->apply(grey, out); });
    attempt([&] { cv::goodFeaturesToTrack(grey, points, 100, 0.01, 5); });
    attempt([&] { cv::cornerHarris(grey, out, 3, 3, 0.04); });
    attempt([&] { cv::cornerMinEigenVal(grey, out, 3, 3); });
    attempt([&] { cv::HoughLines(grey, out, 1, CV_PI / 180, 50); });
    attempt([&] { cv::HoughLinesP(grey, out, 1, CV_PI / 180, 50); });
    attempt([&] { cv::moments(grey); });
    attempt([&] { cv::calcHist(std::vector<cv::UMat>{grey}, {0}, cv::noArray(), out, {256}, {0, 256}); });
    attempt([&] {
        cv::calcBackProject(std::vector<cv::UMat>{grey}, {0}, image(CV_32FC1, 256, 1), out, {0, 256}, 1);
    });
    attempt([&] { cv::LUT(colour, cv::Mat(1, 256, CV_8UC3), out); });
    attempt([&] { cv::buildOpticalFlowPyramid(grey, std::vector<cv::UMat>{}, {21, 21}, 3); });
    attempt([&] { cv::calcOpticalFlowFarneback(grey, grey, out, 0.5, 3, 15, 3, 5, 1.2, 0); });
    attempt([&] { cv::DISOpticalFlow::create()->calc(grey, image(CV_8UC1), out); });
    attempt([&] { cv::createBackgroundSubtractorMOG2()->apply(colour, out); });
    attempt([&] { cv::createBackgroundSubtractorKNN()->apply(colour, out); });
    attempt([&] { cv::fastNlMeansDenoising(grey, out, 3); });
    attempt([&] { cv::fastNlMeansDenoisingColored(colour, out, 3); });
    attempt([&] {
        cv::UMat next, status, error;
        cv::calcOpticalFlowPyrLK(grey, grey, image(CV_32FC2, 1, 50), next, status, error);
    });
}

}  // namespace

int main() {
    cv::ocl::setUseOpenCL(true);
    for (const int type : {CV_8UC1, CV_8UC3, CV_16SC4, CV_32FC1, CV_32FC4, CV_64FC1}) arithmetic(type);
    for (const int depth : {CV_32F, CV_64F}) floating(depth);
    for (const int type : {CV_8UC1, CV_8UC4, CV_16UC3, CV_32FC1}) filters(type);
    colours();
    features();
}
